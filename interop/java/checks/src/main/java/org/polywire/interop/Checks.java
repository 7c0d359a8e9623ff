package org.polywire.interop;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Runs named checks and prints what `interop/run` reads: one line each, `pass NAME` or `FAIL NAME: reason`. */
public final class Checks {
    /** One check; what it throws is why it failed. */
    public interface Body {
        void run() throws Exception;
    }

    /** How long concurrent calls may take together, in seconds. */
    private static final int PATIENCE_S = 60;

    private int failed;

    public void check(String name, Body body) {
        count(name, body, () -> "");
    }

    /** A check that also tells what it has done. */
    public void count(String name, Body body, Supplier<String> done) {
        try {
            body.run();
            System.out.println("pass " + name + done.get());
        } catch (Throwable reason) {
            failed++;
            System.out.println("FAIL " + name + ": " + chain(reason));
        }
        System.out.flush();
    }

    /** Ends the process: the libraries leave threads behind that would keep it. */
    public void exit() {
        System.exit(failed == 0 ? 0 : 1);
    }

    public static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    public static void same(Object expected, Object found) {
        that(expected.equals(found), "expected " + shown(expected) + ", found " + shown(found));
    }

    /** Hands back the text of what `call` threw. */
    public static String failure(Callable<?> call) {
        Object answer;
        try {
            answer = call.call();
        } catch (Exception thrown) {
            return chain(thrown);
        }
        throw new AssertionError("the call should have failed, but answered " + shown(answer));
    }

    /** `threads` threads make `calls` calls each; `call` gets a number that no other call gets. */
    public static void concurrently(int threads, int calls, java.util.function.IntConsumer call) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = IntStream.range(0, threads)
                .<Future<?>>mapToObj(t -> pool.submit(() -> IntStream.range(0, calls).forEach(i -> call.accept(t * calls + i))))
                .toList();
        pool.shutdown();
        that(pool.awaitTermination(PATIENCE_S, TimeUnit.SECONDS), "concurrent calls did not end");
        for (Future<?> thread : running) {
            thread.get();
        }
    }

    /** These libraries cannot say which port they were given for 0, so one that was free a moment ago must do. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** What was thrown and why, on one line. */
    private static String chain(Throwable thrown) {
        StringBuilder text = new StringBuilder(String.valueOf(thrown));
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            text.append(" <- ").append(cause);
        }
        return text.toString().replaceAll("\\s+", " ");
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.length() <= 80 ? text : text.substring(0, 80) + "… (" + text.length() + " characters)";
    }
}
