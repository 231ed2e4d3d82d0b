import assert from "node:assert/strict";
import { SerialGate } from "./serial_gate.ts";

Deno.test("one at a time, in the order of arrival, also behind one that failed or left", async () => {
  const gate = new SerialGate();
  const order: string[] = [];
  const hold = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const step = (name: string, work = Promise.resolve()) => async () => {
    order.push(`${name} begins`);
    await work;
    order.push(`${name} ends`);
  };
  const first = gate.run(step("a", hold.promise));
  const failing = gate.run(() => Promise.reject(new Error("b fails")));
  const left = gate.run(step("c"), leaving.signal);
  const last = gate.run(step("d"));
  leaving.abort(new Error("c left"));
  await assert.rejects(left, /c left/);
  assert.deepEqual(order, ["a begins"]);
  hold.resolve();
  await first;
  await assert.rejects(failing, /b fails/);
  await last;
  assert.deepEqual(order, ["a begins", "a ends", "d begins", "d ends"]);
});

Deno.test("who comes with an aborted signal is not let in", async () => {
  await assert.rejects(new SerialGate().run(() => assert.fail(), AbortSignal.abort(new Error("gone"))), /gone/);
});
