//! Methods of all four kinds, written as a user would.

use crate::{
    support::{channel, line, net, net_with, number, numbers, run, run_over},
    talk::{Line, Talk},
};
use polywire::{Code, Context, Limits, Reply, Status, Stream, Streaming};

struct Room;

impl Talk for Room {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        Ok(request.into())
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        if request.number > 1000 {
            return Err(Status::invalid_argument("too far"));
        }
        let (sender, lines) = polywire::stream(4);
        cx.spawn(async move {
            for n in 0..request.number {
                sender.send(number(n)).await?;
            }
            Ok(())
        });
        Ok(lines)
    }

    async fn sum(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let mut sum = 0;
        while let Some(line) = incoming.next().await.transpose()? {
            sum += line.number;
        }
        Ok(number(sum).into())
    }

    async fn chat(
        &self,
        cx: &Context,
        mut incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(4);
        cx.spawn(async move {
            while let Some(line) = incoming.next().await.transpose()? {
                sender.send(line).await?;
            }
            Ok(())
        });
        Ok(lines)
    }
}

/// What such a field means in HTTP it means nowhere else.
#[test]
fn a_field_named_as_one_of_http_changes_no_stream_of_another_protocol() {
    run_over("streaming_rpc", async || {
        let (_running, talk) = net(Room.into_service());
        let call = talk.count(number(3)).metadata(":method", "POST").metadata("accept", "application/jsonl");
        assert_eq!(numbers(call.await.unwrap()).await, (vec![0, 1, 2], Ok(())));
    });
}

#[test]
fn methods_of_all_kinds_are_called_and_answered() {
    run(async || {
        let (_running, talk) = net(Room.into_service());
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");

        let counted = talk.count(number(100)).await.unwrap();
        assert_eq!(numbers(counted).await, ((0..100).collect(), Ok(())));

        let mut upload = talk.sum().await.unwrap();
        for n in 1..=100 {
            upload.send(number(n)).await.unwrap();
        }
        assert_eq!(upload.finish().await.unwrap().number, 5050);

        let mut chat = talk.chat().await.unwrap();
        for n in 0..100 {
            chat.send(number(n)).await.unwrap();
            assert_eq!(chat.next().await.unwrap().unwrap().number, n);
        }
        chat.finish();
        assert_eq!(chat.next().await, None);
        assert_eq!(chat.send(line("late")).await.unwrap_err().code(), Code::FailedPrecondition);
    });
}

#[test]
fn streams_without_messages_end_well() {
    run(async || {
        let (_running, talk) = net(Room.into_service());
        assert_eq!(numbers(talk.count(number(0)).await.unwrap()).await, (vec![], Ok(())));
        assert_eq!(talk.sum().await.unwrap().finish().await.unwrap().number, 0);
        let mut chat = talk.chat().await.unwrap();
        chat.finish();
        assert_eq!(chat.next().await, None);
    });
}

#[test]
fn the_halves_of_a_call_work_in_two_tasks() {
    run(async || {
        let (_running, talk) = net(Room.into_service());
        let (mut outgoing, incoming) = talk.chat().await.unwrap().split();
        let sending = tokio::spawn(async move {
            let (sender, lines) = polywire::stream::<u32>(1);
            let feeding = async move {
                for n in 0..500 {
                    sender.send(n).await.unwrap();
                }
            };
            let mut lines = lines;
            let lines = crate::support::poll_fn(move |cx| {
                std::pin::Pin::new(&mut lines).poll_next(cx).map(|next| next.map(|n| number(n.unwrap())))
            });
            let (sent, ()) = tokio::join!(outgoing.send_all(lines), feeding);
            sent
        });
        assert_eq!(numbers(incoming).await, ((0..500).collect(), Ok(())));
        sending.await.unwrap().unwrap();
    });
}

#[test]
fn a_handler_that_refuses_at_once_is_heard_when_the_call_is_awaited() {
    run(async || {
        let (_running, talk) = net(Room.into_service());
        let refused = talk.count(number(1001)).await.err().unwrap();
        assert_eq!((refused.code(), refused.message()), (Code::InvalidArgument, "too far"));
    });
}

#[test]
fn a_call_that_is_not_awaited_sends_nothing() {
    run(async || {
        let (running, talk) = net(Room.into_service());
        drop(talk.count(number(9)));
        drop(talk.chat());
        assert!(running.connections().is_empty());
    });
}

#[test]
fn a_protocol_without_streams_refuses_them() {
    run_over("lab", async || {
        let (_running, talk) = net_with(Room.into_service(), Limits::default(), "serial");
        for status in [
            talk.count(number(1)).await.err().unwrap(),
            talk.sum().await.err().unwrap(),
            talk.chat().await.err().unwrap(),
        ] {
            assert_eq!(status.code(), Code::Unimplemented);
        }
    });
}

#[test]
fn what_is_no_message_is_refused() {
    run_over("lab", async || {
        let (_running, channel) = channel(Room.into_service(), Limits::default(), "lab");
        let target = polywire::Target::fixed("talk.Talk", "Chat");
        let mut raw = channel.stream(target).await.unwrap();
        raw.send("{\"number\":1}").await.unwrap();
        raw.send("{\"number\":").await.unwrap();
        assert_eq!(raw.next().await.unwrap().unwrap().bytes.to_vec(), b"{\"number\":1}");
        let status = raw.next().await.unwrap().unwrap_err();
        assert_eq!(polywire::brpc::number(&status), polywire::brpc::EREQUEST);
    });
}
