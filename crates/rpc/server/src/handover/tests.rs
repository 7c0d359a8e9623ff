use super::{
    taken::trusted,
    words::{ANSWER, HEAD, READY, START},
    *,
};
use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    os::{
        fd::AsFd,
        unix::net::{UnixListener as Blocked, UnixStream as Blocking},
    },
    path::PathBuf,
    thread::{self, JoinHandle as Thread},
    time::Instant,
};
use tokio::time::timeout;
/// A path for one test, in a folder of its own.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("polywire-handover-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Place(folder.join("handover"))
    }
    /// A process before, which does this to who connects.
    fn before(&self, does: impl FnOnce(Blocking) + Send + 'static) -> Thread<()> {
        let listener = Blocked::bind(&self.0).expect("free");
        thread::spawn(move || does(listener.accept().expect("it connects").0))
    }
}
impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.0.parent().expect("a folder"));
    }
}

fn offer(path: &Path, before: Taken) -> (Offer, watch::Receiver<bool>) {
    let (tell, handed_over) = watch::channel(false);
    (Offer::begin(path, before, Listeners::default(), tell).expect("the path is free"), handed_over)
}

#[test]
fn sockets_go_between_processes_of_one_user_and_from_root() {
    assert!(trusted(descriptors::user()).is_ok() && trusted(0).is_ok());
    assert!(trusted(descriptors::user() + 1).is_err());
}

#[test]
fn a_socket_of_another_address_is_not_taken() {
    let place = Place::new("other");
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
    let own = socket.local_addr().expect("bound").to_string();
    let text = format!("{HEAD}127.0.0.1:1\n0.0.0.0:0\nunix:/run/calls\nlocalhost:0\n{own}\n\n");
    let before = place.before(move |next| {
        descriptors::send(&next, text.as_bytes(), &[socket.as_fd(); 5]).expect("there is room");
    });
    let mut taken = Taken::from_process_at(&place.0).expect("it is there");
    for address in ["127.0.0.1:1", "0.0.0.0:0", "unix:/run/calls"] {
        let error = taken.listener(address).err().expect("another address").to_string();
        assert!(error.contains(address) && error.contains(&own), "{error}");
    }
    for address in ["localhost:0", &own] {
        assert!(taken.listener(address).expect("its address").is_some());
    }
    assert!(taken.listener("127.0.0.1:2").expect("not there").is_none());
    before.join().expect("no panic");
}

#[test]
fn a_process_that_never_comes_to_an_end_is_given_up() {
    let place = Place::new("slow");
    let before = place.before(|mut next| {
        for byte in HEAD.bytes() {
            thread::sleep(ANSWER / 4);
            if next.write_all(&[byte]).is_err() {
                return;
            }
        }
    });
    let began = Instant::now();
    assert!(Taken::from_process_at(&place.0).is_err());
    assert!(began.elapsed() < 3 * ANSWER, "{:?}", began.elapsed());
    before.join().expect("no panic");
}

#[test]
fn a_process_that_sends_too_many_sockets_is_given_up() {
    let place = Place::new("many");
    let before = place.before(|next| {
        let sockets = [next.as_fd(); 40];
        for text in [HEAD, "127.0.0.1:1\n"] {
            descriptors::send(&next, text.as_bytes(), &sockets).expect("there is room");
        }
        let _ = (&next).read(&mut [0]); // until it hangs up
    });
    let error = Taken::from_process_at(&place.0).err().expect("more than 64");
    assert!(error.to_string().contains("something else"), "{error}");
    before.join().expect("no panic");
}

#[tokio::test]
async fn a_process_before_that_takes_long_to_stop_is_waited_for() {
    let place = Place::new("long");
    let before = place.before(|mut next| {
        descriptors::send(&next, format!("{HEAD}\n").as_bytes(), &[]).expect("there is room");
        let mut ready = [0; READY.len()];
        next.read_exact(&mut ready).expect("it is ready");
        thread::sleep(ANSWER + ANSWER / 2);
    });
    let taken = Taken::from_process_at(&place.0).expect("it is there");
    let began = Instant::now();
    let (mut offer, _handed_over) = offer(&place.0, taken);
    offer.take_path();
    assert!(began.elapsed() >= ANSWER + ANSWER / 2, "{:?}: it has hung up", began.elapsed());
    before.join().expect("no panic");
    Blocking::connect(&place.0).expect("the path is this process's");
}

#[tokio::test]
async fn a_path_that_is_taken_fails_before_the_process_before_stops() {
    let place = Place::new("taken");
    let before = place.before(|mut next| {
        descriptors::send(&next, format!("{HEAD}\n").as_bytes(), &[]).expect("there is room");
        let mut told = Vec::new();
        next.read_to_end(&mut told).expect("it hangs up");
        assert!(told.is_empty(), "it goes on");
    });
    let taken = Taken::from_process_at(&place.0).expect("it is there");
    let mut next = place.0.clone().into_os_string();
    next.push(format!(".{}", std::process::id()));
    fs::write(next, "precious").expect("a file");
    let (tell, _handed_over) = watch::channel(false);
    assert!(Offer::begin(&place.0, taken, Listeners::default(), tell).is_err());
    before.join().expect("it goes on");
}

#[tokio::test]
async fn a_file_that_somebody_has_removed_does_not_keep_a_process_from_stopping() {
    let place = Place::new("removed");
    let (first, mut handed_over) = offer(&place.0, Taken::nothing());
    let first = tokio::spawn(first.run());
    let path = place.0.clone();
    let taken = tokio::task::spawn_blocking(move || Taken::from_process_at(&path));
    let taken = taken.await.expect("no panic").expect("it is there");
    fs::remove_file(&place.0).expect("somebody does");
    let (mut second, _) = offer(&place.0, taken);
    timeout(START / 6, handed_over.wait_for(|yes| *yes)).await.expect("it stops").expect("it is told");
    first.await.expect("no panic");
    second.take_path();
    Blocking::connect(&place.0).expect("the second one's");
    drop(second);
    assert!(!place.0.exists());
}

#[tokio::test]
async fn a_process_that_ends_removes_its_own_file_and_no_other() {
    let place = Place::new("end");
    let (first, _handed_over) = offer(&place.0, Taken::nothing());
    fs::remove_file(&place.0).expect("somebody removes it");
    let _other = Blocked::bind(&place.0).expect("and listens there");
    drop(first);
    Blocking::connect(&place.0).expect("the other one's");
}
