//! `thrift-test serve`: the services of ThriftTest.thrift, of Apache's cross-test.
//! `thrift-test check PROTOCOL ADDRESS [multiplexed] [uuid]`: its cases against a server of Apache's; a line
//! `pass NAME` or `FAIL NAME: REASON` for each. Servers of before release 0.19 have no `uuid`.

use crate::thrift::test::{
    Insanity, Numberz, SecondClient, SecondService, ThriftTest, ThriftTestClient, UserId, Xception,
    Xception2, Xtruct, Xtruct2,
    thrift_test::{TestExceptionError, TestMultiExceptionError},
};
use polywire::{
    Channel, Context, Server, Status,
    thrift::{Bytes, ExceptionType, Uuid},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    future::Future,
    process::ExitCode,
    time::{Duration, Instant},
};

#[tokio::main]
pub async fn main() -> polywire::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["serve"] => serve().await.map(|()| ExitCode::SUCCESS),
        ["check", protocol, address, ref options @ ..] => check(protocol, address, options).await,
        _ => Err("usage: thrift-test serve|check PROTOCOL ADDRESS [multiplexed] [uuid]".into()),
    }
}

async fn serve() -> polywire::Result<()> {
    let services = [ThriftTest::into_service(Handler), SecondService::into_service(Handler)];
    let server = services.into_iter().fold(Server::new(), Server::service);
    let running = server.listen("127.0.0.1:0").start()?;
    println!("listening on {}", running.addresses()[0]);
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}

struct Handler;

/// What the comments of ThriftTest.thrift say.
impl ThriftTest for Handler {
    async fn test_void(&self, _: &Context) -> Result<(), Status> {
        Ok(())
    }

    async fn test_string(&self, _: &Context, thing: String) -> Result<String, Status> {
        Ok(thing)
    }

    async fn test_bool(&self, _: &Context, thing: bool) -> Result<bool, Status> {
        Ok(thing)
    }

    async fn test_byte(&self, _: &Context, thing: i8) -> Result<i8, Status> {
        Ok(thing)
    }

    async fn test_i32(&self, _: &Context, thing: i32) -> Result<i32, Status> {
        Ok(thing)
    }

    async fn test_i64(&self, _: &Context, thing: i64) -> Result<i64, Status> {
        Ok(thing)
    }

    async fn test_double(&self, _: &Context, thing: f64) -> Result<f64, Status> {
        Ok(thing)
    }

    async fn test_binary(&self, _: &Context, thing: Bytes) -> Result<Bytes, Status> {
        Ok(thing)
    }

    async fn test_uuid(&self, _: &Context, thing: Uuid) -> Result<Uuid, Status> {
        Ok(thing)
    }

    async fn test_struct(&self, _: &Context, thing: Xtruct) -> Result<Xtruct, Status> {
        Ok(thing)
    }

    async fn test_nest(&self, _: &Context, thing: Xtruct2) -> Result<Xtruct2, Status> {
        Ok(thing)
    }

    async fn test_map(&self, _: &Context, thing: BTreeMap<i32, i32>) -> Result<BTreeMap<i32, i32>, Status> {
        Ok(thing)
    }

    async fn test_string_map(
        &self,
        _: &Context,
        thing: BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, Status> {
        Ok(thing)
    }

    async fn test_set(&self, _: &Context, thing: BTreeSet<i32>) -> Result<BTreeSet<i32>, Status> {
        Ok(thing)
    }

    async fn test_list(&self, _: &Context, thing: Vec<i32>) -> Result<Vec<i32>, Status> {
        Ok(thing)
    }

    async fn test_enum(&self, _: &Context, thing: Numberz) -> Result<Numberz, Status> {
        Ok(thing)
    }

    async fn test_typedef(&self, _: &Context, thing: UserId) -> Result<UserId, Status> {
        Ok(thing)
    }

    async fn test_map_map(
        &self,
        _: &Context,
        _hello: i32,
    ) -> Result<BTreeMap<i32, BTreeMap<i32, i32>>, Status> {
        Ok(map_map())
    }

    async fn test_insanity(
        &self,
        _: &Context,
        argument: Insanity,
    ) -> Result<BTreeMap<UserId, BTreeMap<Numberz, Insanity>>, Status> {
        Ok(insane(argument))
    }

    async fn test_multi(
        &self,
        _: &Context,
        arg0: i8,
        arg1: i32,
        arg2: i64,
        _: BTreeMap<i16, String>,
        _: Numberz,
        _: UserId,
    ) -> Result<Xtruct, Status> {
        Ok(Xtruct { string_thing: "Hello2".into(), byte_thing: arg0, i32_thing: arg1, i64_thing: arg2 })
    }

    async fn test_exception(&self, _: &Context, arg: String) -> Result<(), TestExceptionError> {
        match &*arg {
            "Xception" => Err(Xception { error_code: 1001, message: arg }.into()),
            "TException" => {
                Err(ExceptionType::INTERNAL_ERROR.status("nothing that the method declares").into())
            }
            _ => Ok(()),
        }
    }

    async fn test_multi_exception(
        &self,
        _: &Context,
        arg0: String,
        arg1: String,
    ) -> Result<Xtruct, TestMultiExceptionError> {
        match &*arg0 {
            "Xception" => Err(Xception { error_code: 1001, message: "This is an Xception".into() }.into()),
            "Xception2" => {
                Err(Xception2 { error_code: 2002, struct_thing: named("This is an Xception2") }.into())
            }
            _ => Ok(named(&arg1)),
        }
    }

    async fn test_oneway(&self, _: &Context, seconds_to_sleep: i32) -> Result<(), Status> {
        tokio::time::sleep(Duration::from_secs(seconds_to_sleep.clamp(0, 3).unsigned_abs().into())).await;
        Ok(())
    }
}

impl SecondService for Handler {
    async fn secondtest_string(&self, _: &Context, thing: String) -> Result<String, Status> {
        Ok(format!("testString(\"{thing}\")"))
    }
}

fn named(string_thing: &str) -> Xtruct {
    Xtruct { string_thing: string_thing.into(), ..Default::default() }
}

fn map_map() -> BTreeMap<i32, BTreeMap<i32, i32>> {
    let row = |sign: i32| (1..5).map(|n| (sign * n, sign * n)).collect();
    BTreeMap::from([(4, row(1)), (-4, row(-1))])
}

fn insane(argument: Insanity) -> BTreeMap<UserId, BTreeMap<Numberz, Insanity>> {
    let first = BTreeMap::from([(Numberz::TWO, argument.clone()), (Numberz::THREE, argument)]);
    BTreeMap::from([(1, first), (2, BTreeMap::from([(Numberz::SIX, Insanity::default())]))])
}

/// Counts what failed.
#[derive(Default)]
struct Checks {
    failed: usize,
}

impl Checks {
    async fn check(&mut self, name: &str, outcome: impl Future<Output = Result<(), String>>) {
        match outcome.await {
            Ok(()) => println!("pass {name}"),
            Err(reason) => {
                self.failed += 1;
                println!("FAIL {name}: {reason}");
            }
        }
    }
}

/// That a value comes back as it was sent.
async fn echo<T: PartialEq + Debug + Clone, F>(call: impl Fn(T) -> F, value: T) -> Result<(), String>
where
    F: IntoFuture<Output = Result<T, Status>>,
{
    same(value.clone(), call(value).await)
}

fn same<T: PartialEq + Debug, E: Debug>(expected: T, found: Result<T, E>) -> Result<(), String> {
    match found {
        Ok(found) if found == expected => Ok(()),
        other => {
            let text = format!("expected {expected:?}, found {other:?}");
            Err(text.chars().take(400).collect())
        }
    }
}

async fn check(protocol: &str, address: &str, options: &[&str]) -> polywire::Result<ExitCode> {
    let channel = Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(20)).build()?;
    let (c, second) = match options.contains(&"multiplexed") {
        true => (ThriftTestClient::multiplexed(channel.clone()), Some(SecondClient::multiplexed(channel))),
        false => (ThriftTestClient::new(channel), None),
    };
    let (c, mut checks) = (&c, Checks::default());
    checks.check("testVoid", async { same((), c.test_void().await) }).await;
    checks
        .check("testString", async {
            let long = "Föroyskt 贛語 עברית हिन्दी ".repeat(2000);
            for text in ["", "Test", "quote \" backslash \\ / \u{8}\u{c}\n\r\t ]] \\\" }}}{ [[[", &long] {
                echo(|text| c.test_string(text), text.to_owned()).await?;
            }
            Ok(())
        })
        .await;
    if let Some(second) = second {
        checks
            .check("secondtestString", async {
                same("testString(\"foo\")".to_owned(), second.secondtest_string("foo".into()).await)
            })
            .await;
    }
    checks
        .check("testBool, testByte", async {
            echo(|thing| c.test_bool(thing), true).await?;
            echo(|thing| c.test_bool(thing), false).await?;
            for byte in [0, -1, 42, -42, 127, -128] {
                echo(|thing| c.test_byte(thing), byte).await?;
            }
            Ok(())
        })
        .await;
    checks
        .check("testI32, testI64", async {
            for number in [0, -1, 190_000_013, -190_000_013, i32::MAX, i32::MIN] {
                echo(|thing| c.test_i32(thing), number).await?;
            }
            for number in [0, -1, 7_000_000_000_000_000_123, 1 << 32, -(1 << 32) - 1, i64::MAX, i64::MIN] {
                echo(|thing| c.test_i64(thing), number).await?;
            }
            Ok(())
        })
        .await;
    checks
        .check("testDouble", async {
            for number in [0.0, -1.0, -5.2098523, -0.000_341_012_439_638_598_3, 1e307, 1e-292, f64::MAX] {
                echo(|thing| c.test_double(thing), number).await?;
            }
            Ok(())
        })
        .await;
    checks
        .check("testBinary of 0 to 131072 bytes", async {
            for length in [0, 1, 2, 255, 4096, 131_072_usize] {
                let bytes: Vec<u8> = (0..=255).cycle().take(length).collect();
                echo(|thing| c.test_binary(thing), Bytes::from(bytes)).await?;
            }
            Ok(())
        })
        .await;
    if options.contains(&"uuid") {
        checks
            .check("testUuid", async {
                let bytes: [u8; 16] = std::array::from_fn(|n| 0x11 * n as u8);
                for uuid in [Uuid(bytes), Uuid([0; 16]), Uuid([0xff; 16])] {
                    echo(|thing| c.test_uuid(thing), uuid).await?;
                }
                Ok(())
            })
            .await;
    }
    let zero = Xtruct { string_thing: "Zero".into(), byte_thing: 1, i32_thing: -3, i64_thing: -5 };
    checks
        .check("testStruct, testNest", async {
            echo(|thing| c.test_struct(thing), zero.clone()).await?;
            let nest = Xtruct2 { byte_thing: 1, struct_thing: zero.clone(), i32_thing: 5 };
            echo(|thing| c.test_nest(thing), nest).await
        })
        .await;
    checks
        .check("testMap, testStringMap, testSet, testList", async {
            echo(|thing| c.test_map(thing), (0..5).map(|n| (n, n - 10)).collect()).await?;
            let words = [("a", "2"), ("b", "blah"), ("some", "thing"), ("ü", "")];
            let words = words.map(|(key, value)| (key.to_owned(), value.to_owned()));
            echo(|thing| c.test_string_map(thing), BTreeMap::from(words)).await?;
            echo(|thing| c.test_set(thing), (-2..3).collect()).await?;
            echo(|thing| c.test_list(thing), (-2..300).collect()).await?;
            echo(|thing| c.test_list(thing), Vec::new()).await
        })
        .await;
    checks
        .check("testEnum, testTypedef, testMapMap", async {
            for one in [Numberz::ONE, Numberz::TWO, Numberz::THREE, Numberz::FIVE, Numberz::EIGHT] {
                echo(|thing| c.test_enum(thing), one).await?;
            }
            echo(|thing| c.test_typedef(thing), 309_858_235_082_523).await?;
            same(map_map(), c.test_map_map(1).await)
        })
        .await;
    checks
        .check("testInsanity", async {
            let hello = Xtruct { string_thing: "Hello2".into(), byte_thing: 2, i32_thing: 2, i64_thing: 2 };
            let insanity = Insanity {
                user_map: BTreeMap::from([(Numberz::FIVE, 5), (Numberz::EIGHT, 8)]),
                xtructs: vec![zero.clone(), hello],
            };
            same(insane(insanity.clone()), c.test_insanity(insanity).await)
        })
        .await;
    checks
        .check("testMulti", async {
            let expected =
                Xtruct { string_thing: "Hello2".into(), byte_thing: 42, i32_thing: 4242, i64_thing: 424_242 };
            let map = BTreeMap::from([(1, "blah".to_owned()), (2, "thing".to_owned())]);
            same(expected, c.test_multi(42, 4242, 424_242, map, Numberz::EIGHT, 24).await)
        })
        .await;
    checks
        .check("testException", async {
            match c.test_exception("Xception".into()).await {
                Err(TestExceptionError::Err1(thrown)) if thrown.error_code == 1001 => {}
                other => return Err(format!("{other:?}")),
            }
            match c.test_exception("TException".into()).await {
                Err(TestExceptionError::Status(_)) => {}
                other => return Err(format!("{other:?}")),
            }
            same((), c.test_exception("success".into()).await)
        })
        .await;
    checks
        .check("testMultiException", async {
            match c.test_multi_exception("Xception".into(), "test 1".into()).await {
                Err(TestMultiExceptionError::Err1(thrown)) if thrown.message == "This is an Xception" => {}
                other => return Err(format!("{other:?}")),
            }
            match c.test_multi_exception("Xception2".into(), "test 2".into()).await {
                Err(TestMultiExceptionError::Err2(thrown))
                    if thrown.error_code == 2002
                        && thrown.struct_thing.string_thing == "This is an Xception2" => {}
                other => return Err(format!("{other:?}")),
            }
            let told = c.test_multi_exception("success".into(), "test 3".into()).await;
            same("test 3".to_owned(), told.map(|told| told.string_thing))
        })
        .await;
    checks
        .check("testOneway is not waited for, and the connection goes on", async {
            let sent = Instant::now();
            same((), c.test_oneway(1).await)?;
            if sent.elapsed() > Duration::from_millis(800) {
                return Err(format!("it took {:?}", sent.elapsed()));
            }
            echo(|text| c.test_string(text), "after".to_owned()).await
        })
        .await;
    Ok(if checks.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
