//! Every interleaving of one producer and one consumer.

use crate::{SpscQueue, loom_support::model};
use loom::{sync::Arc, thread};

#[test]
fn values_cross_in_order_through_a_full_queue() {
    model(3, || {
        let queue = Arc::new(SpscQueue::<_, 1>::new(1));
        let producer = queue.clone();
        let pushing = thread::spawn(move || {
            for value in [1, 2] {
                let mut value = Box::new(value);
                while let Err(back) = producer.push(value) {
                    value = back;
                    thread::yield_now();
                }
            }
        });
        for expected in [1, 2] {
            let value = loop {
                match queue.pop() {
                    Some(value) => break value,
                    None => thread::yield_now(),
                }
            };
            assert_eq!(*value, expected);
        }
        assert!(queue.pop().is_none());
        pushing.join().unwrap();
    });
}

#[test]
fn what_was_not_popped_is_dropped_with_the_queue() {
    model(3, || {
        let value = Arc::new(());
        let queue = Arc::new(SpscQueue::<_, 1>::new(2));
        let (producer, pushed) = (queue.clone(), value.clone());
        let pushing = thread::spawn(move || producer.push(pushed).is_ok());
        let popped = queue.pop();
        assert!(pushing.join().unwrap());
        assert_eq!(queue.len(), usize::from(popped.is_none()));
        drop((queue, popped));
        assert_eq!(Arc::strong_count(&value), 1);
    });
}

#[test]
fn a_producer_may_move_to_another_thread() {
    model(3, || {
        let queue = Arc::new(SpscQueue::<_, 1>::new(2));
        assert!(queue.push(Box::new(1)).is_ok());
        let producer = queue.clone();
        let pushing = thread::spawn(move || assert!(producer.push(Box::new(2)).is_ok()));
        assert_eq!(queue.pop().as_deref(), Some(&1));
        pushing.join().unwrap();
        assert_eq!(queue.pop().as_deref(), Some(&2));
    });
}
