module polywire.example/interop/net-http

go 1.24
