# Where foreign software comes from: for the scripts beside this one and in .ci.

# Debian packages, as root or through sudo, those that are not there. No daemon may start: what needs one runs it itself, on a port of its own.
debian() {
    dpkg -s "$@" >/dev/null 2>&1 && return
    local as_root=()
    [[ $(id -u) == 0 ]] || as_root=(sudo -n)
    "${as_root[@]}" apt-get -qq update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq install -y --no-install-recommends "$@"
}

# The folder of a Go module, by name and version: some have a whole repository in them.
go_module() {
    go mod download -json "$1" | sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p'
}
