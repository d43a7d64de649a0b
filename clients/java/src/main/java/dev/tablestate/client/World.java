package dev.tablestate.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What retries take their time and their chance from. */
interface World {
  World REAL =
      new World() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public double random() {
          return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };

  /** Nanoseconds of a clock that only goes forward. */
  long nanoTime();

  /** A number from 0 to 1. */
  double random();

  /** Waits so many nanoseconds. */
  void sleep(long nanos) throws InterruptedException;
}
