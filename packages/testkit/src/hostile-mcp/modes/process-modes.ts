import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { everywhere, type Mode, type Scene } from '../mode.ts'
import { givenUp, respond } from '../scene.ts'
import { writeAll } from '../write-all.ts'
import { onCall, onMethod } from './on-call.ts'
import { repeat } from './pieces.ts'

/** How a server comes, stays away and goes. */
export const processModes = {
  /** The tool has done its work when the server goes. */
  crash_mid_call: {
    on: everywhere,
    answer: onCall(async (call) => {
      await call.result()
      call.peer.cut()
    }),
  },
  crash_at_start: {
    on: everywhere,
    start() {
      process.stderr.write('it cannot start: no licence\n')
      process.exit(3)
    },
    connection(socket) {
      socket.resetAndDestroy()
      return true
    },
  },
  exits_after_answering: {
    on: everywhere,
    answer: onCall(async (call) => {
      await call.proceed()
      await sleep(call.scene.knobs.ms ?? 0)
      call.peer.cut()
    }),
  },
  /** The tool has done its work, but nobody is told. */
  hang: {
    on: everywhere,
    answer: onCall(async (call) => {
      await call.result()
      await givenUp(call)
    }),
  },
  hang_at_initialize: { on: everywhere, answer: onMethod('initialize', givenUp) },
  hang_always: { on: everywhere, answer: givenUp },
  slow_initialize: {
    on: everywhere,
    answer: onMethod('initialize', async (call) => {
      await sleep(call.scene.knobs.ms ?? 300)
      await respond(call.peer, await call.result())
    }),
  },
  ignores_term: { on: ['stdio'], start: ignoreSignals },
  /** Beside the flood, all is well. */
  stderr_flood: {
    on: ['stdio'],
    answer: onCall(async (call) => {
      await writeAll(process.stderr, repeat(`${'e'.repeat(99)}\n`, call.scene.knobs.bytes ?? 128e6))
      await call.proceed()
    }),
  },
  /** In a session of its own, holding the pipes of its parent. */
  forks_grandchild: {
    on: ['stdio'],
    start({ notes }) {
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' })
      child.unref()
      notes.add('grandchild', child.pid ?? 0)
    },
  },
} satisfies Record<string, Mode>

/** Stays when stdin ends, and when it is asked to go. */
function ignoreSignals({ notes }: Scene): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => notes.add('signal', signal))
  }
  setInterval(() => {}, 60_000)
}
