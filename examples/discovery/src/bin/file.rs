//! The servers of a file, which is written anew while a channel calls them.

#![forbid(unsafe_code)]

use polywire::{Channel, Resilience};
use polywire_example_discovery::{answered_by, server};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (red, blue) = (server("red").start()?, server("blue").start()?);
    let (red, blue) = (red.addresses()[0].to_string(), blue.addresses()[0].to_string());

    let folder = std::env::temp_dir().join(format!("polywire-discovery-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("colour.servers");
    // A line for each server. A new file takes the place of the old one at once, so that nobody reads half of
    // it.
    let write = |lines: String| {
        std::fs::write(folder.join("new"), lines)?;
        std::fs::rename(folder.join("new"), &file)
    };

    write(format!("{red}\n"))?;
    let channel = Channel::builder(format!("file://{}", file.display()))
        .resilience(Resilience::default().balancer("rr"))
        .build()?;
    answered_by(&channel, &["red"]).await?;

    write(format!("{red}\n{blue} # has joined\n"))?;
    answered_by(&channel, &["blue", "red"]).await?;

    write(format!("{blue}\n"))?;
    answered_by(&channel, &["blue"]).await?;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
