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

# Unpacks Debian packages of a later release into a folder of their own, for programs that want its C library: FOLDER RELEASE PACKAGE...
# They come from where this machine's own packages come from.
debian_beside() {
    local folder=$1 release=$2 apt
    shift 2
    [[ -d $folder ]] && return
    apt=$(mktemp -d)
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    apt-get indextargets --format 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(CODENAME) main' \
        'Created-By: Packages' "Codename: $(. /etc/os-release && echo "$VERSION_CODENAME")" |
        sed "s/ [a-z]* main$/ $release main/" | sort -u >"$apt/sources.list"
    local here=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$apt/lists"
        -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
    apt-get "${here[@]}" update
    (cd "$apt" && apt-get "${here[@]}" download "$@")
    for package in "$apt"/*.deb; do
        dpkg -x "$package" "$apt/unpacked"
    done
    mv "$apt/unpacked" "$folder"
    rm -r "$apt"
}
