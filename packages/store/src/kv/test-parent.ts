import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMemoryKv } from './memory-kv.ts'
import { serveKv } from './serve-kv.ts'

// For a test that kills it: serves a KV to one worker and prints how the worker's first call went.
const worker = fork(fileURLToPath(new URL('./test-worker.ts', import.meta.url)), {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
serveKv({ kv: createMemoryKv(), worker })
worker.send({ ask: 1, task: 'tryGet', args: [] })
for (let asking = true; asking; ) {
  const [message] = await once(worker, 'message')
  if (message.answer !== 1) continue
  process.stdout.write(`${JSON.stringify(message.value)}\n`)
  asking = false
}
