//! Serves until Ctrl-C: `tls-server FOLDER [ADDRESS]`. Certificates are made in the folder if there are none.

use std::path::PathBuf;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: tls-server FOLDER [ADDRESS]")?);
    let address = arguments.next().unwrap_or("127.0.0.1:8443".into());
    if !folder.join("ca.pem").exists() {
        polywire_example_tls::certificates::make(&folder)?;
    }
    println!("listening on {address}; stop with Ctrl-C");
    polywire_example_tls::server(&folder).listen(address).run().await
}
