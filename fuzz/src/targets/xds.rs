//! What a control plane sends to a client of xDS, response by response.

pub fn run(input: &[u8]) {
    polywire_xds::internals::responses(input);
}
