//! The service of Thrift that brpc's example has: `EchoResponse Echo(1: EchoRequest request)`, both with the
//! field `1: string data`.

use polywire::{
    Context, Status,
    thrift::{Error, Method, Reader, Returned, Served, Service, Type, Value, Writer},
};
use std::sync::Arc;

pub fn service() -> Service {
    Service::new("EchoService").with::<Echo, _>(&Arc::new(()))
}

/// `EchoRequest` and `EchoResponse`.
#[derive(Default)]
struct Data {
    data: String,
}

impl Value for Data {
    const TYPE: Type = Type::Struct;

    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let mut read = Data::default();
        let outer = from.begin_struct()?;
        while let Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, Type::Binary) => read.data = Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        Ok(read)
    }

    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, Type::Binary);
        self.data.write(to);
        to.end_struct(outer);
    }
}

/// The arguments of `Echo`.
#[derive(Default)]
struct Request {
    request: Data,
}

impl Value for Request {
    const TYPE: Type = Type::Struct;

    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let mut read = Request::default();
        let outer = from.begin_struct()?;
        while let Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, Type::Struct) => read.request = Value::read(from)?,
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        Ok(read)
    }

    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, Type::Struct);
        self.request.write(to);
        to.end_struct(outer);
    }
}

struct Echo;

impl Method for Echo {
    const NAME: &'static str = "Echo";
    type Args = Request;
    type Result = Returned<Data>;
    type Success = Data;
    type Failure = Status;

    fn into_result(outcome: Result<Data, Status>) -> Result<Returned<Data>, Status> {
        outcome.map(|data| Returned(Some(data)))
    }

    fn from_result(result: Returned<Data>) -> Result<Data, Status> {
        result.take(Self::NAME)
    }
}

impl Served<()> for Echo {
    async fn call(_: &(), _: &Context, args: Request) -> Result<Data, Status> {
        Ok(args.request)
    }
}
