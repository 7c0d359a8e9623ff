// go-redis against the server of the first argument; prints what `interop/run` reads.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	ctx    = context.Background()
	failed bool
)

func check(name string, body func() error) {
	if err := body(); err != nil {
		failed = true
		fmt.Printf("FAIL go-redis: %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Printf("pass go-redis: %s\n", name)
}

func same(expected, found any, err error) error {
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(expected, found) {
		return fmt.Errorf("expected %v, found %v", expected, found)
	}
	return nil
}

func main() {
	for _, version := range []int{2, 3} {
		dialect(version)
	}
	if failed {
		os.Exit(1)
	}
}

func dialect(version int) {
	r := redis.NewClient(&redis.Options{Addr: os.Args[1], Protocol: version, ClientName: "interop"})
	defer r.Close()
	named := func(name string) string { return fmt.Sprintf("RESP%d: %s", version, name) }
	check(named("connects by HELLO, SETNAME and SETINFO"), func() error {
		found, err := r.Ping(ctx).Result()
		if err := same("PONG", found, err); err != nil {
			return err
		}
		name, err := r.ClientGetName(ctx).Result()
		return same("interop", name, err)
	})
	check(named("strings and hashes"), func() error {
		r.Del(ctx, "go:s", "go:h")
		if err := r.Set(ctx, "go:s", "v", time.Minute).Err(); err != nil {
			return err
		}
		if _, err := r.Get(ctx, "go:none").Result(); !errors.Is(err, redis.Nil) {
			return fmt.Errorf("a missing key: %v", err)
		}
		r.HSet(ctx, "go:h", "a", 1, "b", 2)
		found, err := r.HGetAll(ctx, "go:h").Result()
		return same(map[string]string{"a": "1", "b": "2"}, found, err)
	})
	check(named("COMMAND is read"), func() error {
		commands, err := r.Command(ctx).Result()
		if err == nil && (commands["mset"] == nil || commands["mset"].StepCount != 2) {
			err = fmt.Errorf("MSET is %v", commands["mset"])
		}
		return err
	})
	check(named("a pipeline and a transaction"), func() error {
		r.Set(ctx, "go:n", 1, 0)
		replies, err := r.TxPipelined(ctx, func(p redis.Pipeliner) error {
			for range 100 {
				p.Incr(ctx, "go:n")
			}
			return nil
		})
		if err != nil {
			return err
		}
		return same(int64(101), replies[99].(*redis.IntCmd).Val(), nil)
	})
	check(named("WATCH stops a transaction when the key has changed"), func() error {
		err := r.Watch(ctx, func(tx *redis.Tx) error {
			r.Incr(ctx, "go:n")
			_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Set(ctx, "go:n", 0, 0).Err() })
			return err
		}, "go:n")
		if !errors.Is(err, redis.TxFailedErr) {
			return fmt.Errorf("it said %v", err)
		}
		return nil
	})
	check(named("20 callers at once get their own replies"), func() error {
		var all sync.WaitGroup
		wrong := make(chan error, 20)
		for caller := range 20 {
			all.Add(1)
			go func() {
				defer all.Done()
				key := fmt.Sprintf("go:caller%d", caller)
				for number := range 50 {
					r.Set(ctx, key, number, 0)
					if found, err := r.Get(ctx, key).Int(); err != nil || found != number {
						wrong <- fmt.Errorf("%s: %d, not %d: %v", key, found, number, err)
						return
					}
				}
			}()
		}
		all.Wait()
		close(wrong)
		return <-wrong
	})
}
