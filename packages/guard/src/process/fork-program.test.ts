import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { forkProgram } from './fork-program.ts'
import { isAlive } from './test-processes.ts'

const file = fileURLToPath(new URL('./test-forked.ts', import.meta.url))

async function start({ args = [] as string[], cwd = '' } = {}) {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const output = await open(join(path, 'out'), 'a')
  cleanup.defer(() => output.close())
  const messages: unknown[] = []
  const program = await forkProgram({
    ...{ file, args, output: output.fd, env: { SECRET: 'given' } },
    ...(cwd !== '' && { cwd }),
    onMessage: (message) => messages.push(message),
  })
  cleanup.defer(async () => void (await program.stop({ graceMs: 0 })))
  await waitFor(() => messages.length > 0)
  const kept = cleanup.move()
  return {
    ...{ program, messages, written: () => readFile(join(path, 'out'), 'utf8') },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

test('a program of ours is told things, answers, and writes to the file', async () => {
  await using rig = await start()
  expect(rig.program.send({ a: 1 })).toBe(true)
  await waitFor(() => rig.messages.length > 1)
  expect(rig.messages).toEqual([{ ready: true }, { heard: { a: 1 }, secret: 'given' }])
  expect(await rig.written()).toBe('begun\n')
})

test('it is stopped with TERM, and where it does not hear with KILL', async () => {
  for (const [args, signal] of [
    [[], 'SIGTERM'],
    [['deaf'], 'SIGKILL'],
  ] as const) {
    await using rig = await start({ args: [...args] })
    const stopped = rig.program.stop({ graceMs: signal === 'SIGTERM' ? 20_000 : 50 })
    expect(await stopped).toEqual({ code: null, signal })
    expect([rig.program.send({}), isAlive(rig.program.pid)]).toEqual([false, false])
  }
})

test('one that cannot be started is an error that says so', async () => {
  await expect(start({ cwd: '/nowhere' })).rejects.toMatchObject({ code: 'process_failed' })
})
