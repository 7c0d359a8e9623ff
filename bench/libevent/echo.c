// libevent's HTTP server as an echo: the bytes of each POST come back, unread. One thread, as evhttp has.
//
//   libevent_echo        says "listening on HOST:PORT", runs until killed

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>

static void echo(struct evhttp_request *request, void *unused) {
    (void)unused;
    struct evbuffer *reply = evbuffer_new();
    evbuffer_add_buffer(reply, evhttp_request_get_input_buffer(request));
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "application/json");
    evhttp_send_reply(request, HTTP_OK, "OK", reply);
    evbuffer_free(reply);
}

int main(void) {
    struct event_base *base = event_base_new();
    struct evhttp *http = evhttp_new(base);
    evhttp_set_gencb(http, echo, NULL);
    struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
    if (!bound) {
        perror("cannot listen");
        return EXIT_FAILURE;
    }
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &length) != 0) {
        perror("no address");
        return EXIT_FAILURE;
    }
    printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return event_base_dispatch(base) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
