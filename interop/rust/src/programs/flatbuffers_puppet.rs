//! Our implementation for `interop/flatbuffers`: `flatbuffers-puppet write|check full|least FILE`, `serve`,
//! `call PROTOCOL ADDRESS`.

use crate::full::{
    Animal, Box, Colour, Food, Full, FullArgs, FullBuf, Keeper, KeeperClient, Lion, LionArgs, Mouse,
    MouseArgs, Point,
};
use polywire::{
    Channel, Context, Reply, Server, Status,
    flatbuffers::{self, Flat},
};

const LOW: Point = Point { x: -1, at: 2.5, z: 3 };
const HIGH: Point = Point { x: 4, at: -0.125, z: -300 };
const BOX: Box = Box { low: LOW, high: HIGH, number: 4_000_000_000, colour: Colour::Red };

fn full() -> FullBuf {
    Flat::build(|b| {
        let name = b.create_string("Grüße, 你好");
        let leo = b.create_string("Leo");
        let lion = Lion::create(b, &LionArgs { teeth: 28, name: Some(leo) });
        let kind = b.create_string("house");
        let house = Mouse::create(b, &MouseArgs { kind: Some(kind), tame: false });
        let nobody = Mouse::create(b, &MouseArgs::default());
        let bytes = b.create_vector(&[0u8, 1, 255]);
        let numbers = b.create_vector(&[i64::MIN, 0, i64::MAX]);
        let flags = b.create_vector(&[true, false, true]);
        let colours = flatbuffers::structs(b, &[Colour::Red, Colour::Blue]);
        let ratios = b.create_vector(&[0.1f64, -1e300]);
        let texts = [b.create_string("a"), b.create_string(""), b.create_string("ccc")];
        let names = b.create_vector(&texts);
        let mice = b.create_vector(&[house, nobody]);
        let points = flatbuffers::structs(b, &[LOW, HIGH]);
        let args = FullArgs {
            open: true,
            tiny: 1,
            low: 127,
            near: -32768,
            port: 65535,
            number: i32::MIN,
            count: u32::MAX,
            far: i64::MIN,
            wide: 1,
            ratio: -0.25,
            exact: 1.0 / 3.0,
            maybe: Some(0),
            colour: Colour::Green,
            foods: Food(Food::Grass.0 | Food::Meat.0),
            name: Some(name),
            r#box: Some(BOX),
            animal_type: Animal::Lion,
            animal: Some(lion.as_union_value()),
            best: Some(house),
            bytes: Some(bytes),
            numbers: Some(numbers),
            flags: Some(flags),
            colours: Some(colours),
            ratios: Some(ratios),
            names: Some(names),
            mice: Some(mice),
            points: Some(points),
        };
        Full::create(b, &args)
    })
}

/// A message with only the required fields.
fn least() -> FullBuf {
    Flat::build(|b| {
        let name = Some(b.create_string(""));
        Full::create(b, &FullArgs { name, ..FullArgs::default() })
    })
}

fn made(kind: &str) -> FullBuf {
    if kind == "full" { full() } else { least() }
}

/// Compares all fields: `Debug` of a view shows every one.
fn check(expected: &FullBuf, found: &FullBuf) -> Result<(), String> {
    let (expected, found) = (format!("{:?}", expected.get()), format!("{:?}", found.get()));
    if expected == found { Ok(()) } else { Err(format!("expected {expected}, found {found}")) }
}

struct Service;

impl Keeper for Service {
    /// Builds the reply from the values that it has read.
    async fn echo(&self, _: &Context, request: FullBuf) -> Result<Reply<FullBuf>, Status> {
        let reply = if request.get().name().is_empty() { least() } else { full() };
        check(&reply, &request).map_err(Status::invalid_argument)?;
        Ok(reply.into())
    }
}

async fn serve() -> polywire::Result<()> {
    let running = Server::new().service(Service.into_service()).listen("127.0.0.1:0").start()?;
    for address in running.addresses() {
        println!("listening on {address}");
    }
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}

async fn call(protocol: &str, address: &str) -> polywire::Result<()> {
    let keeper = KeeperClient::new(Channel::builder(address).protocol(protocol).build()?);
    for message in [full(), least()] {
        check(&message, &keeper.echo(message.clone()).await?.into_message())?;
    }
    Ok(())
}

#[tokio::main]
pub async fn main() -> polywire::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", kind, file] => Ok(std::fs::write(file, made(kind).bytes())?),
        ["check", kind, file] => Ok(check(&made(kind), &FullBuf::from_bytes(std::fs::read(file)?)?)?),
        ["serve"] => serve().await,
        ["call", protocol, address] => call(protocol, address).await,
        _ => Err("flatbuffers-puppet write|check full|least FILE, serve, call PROTOCOL ADDRESS".into()),
    }
}
