import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createLogOutput } from './output.ts'

const line = `${'x'.repeat(1_023)}\n`
/** Five times what the end of the process waits for its log. */
const roomMs = 2_500

/** A pipe that is read when the test says so; a write to a full one waits where it `blocks`. */
async function openPipe({ blocks }: { blocks: boolean }) {
  const directory = await temporaryDirectory()
  const path = join(directory.path, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const dest = openSync(path, constants.O_WRONLY | (blocks ? 0 : constants.O_NONBLOCK))
  const buffer = Buffer.alloc(65_536)
  let length = 0
  return {
    dest,
    /** How much has come so far, with what is there now. */
    read(): number {
      for (let more = 1; more > 0; length += more) more = readSome(reader, buffer)
      return length
    },
    async [Symbol.asyncDispose]() {
      closeSync(reader)
      await directory[Symbol.asyncDispose]()
    },
  }
}

function readSome(reader: number, buffer: Buffer): number {
  try {
    return readSync(reader, buffer)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}

function createOutput(dest: number) {
  const dropped: number[] = []
  const onDropped = (count: number) => void dropped.push(count)
  return { dropped, ...createLogOutput({ log_format: 'json' }, { dest, onDropped }) }
}

async function timeOf(work: Promise<void>): Promise<number> {
  const begun = performance.now()
  await work
  return performance.now() - begun
}

test('what was logged last is written before the end, and what comes after is not', async () => {
  await using pipe = await openPipe({ blocks: false })
  const output = createOutput(pipe.dest)
  for (let n = 0; n < 20; n += 1) output.write(line)
  const closing = output.close()
  output.write(line)
  await closing
  expect(pipe.read()).toBe(20 * line.length)
})

test('a reader that stalls does not keep the process from ending', async () => {
  await using pipe = await openPipe({ blocks: false })
  const output = createOutput(pipe.dest)
  for (let n = 0; n < 200; n += 1) output.write(line)
  expect(await timeOf(output.close())).toBeLessThan(roomMs)
})

test('a full disk does not keep the process from ending', async () => {
  const output = createOutput(openSync('/dev/full', 'w'))
  for (let n = 0; n < 20; n += 1) output.write(line)
  expect(await timeOf(output.close())).toBeLessThan(roomMs)
})

test('records beyond 8 MiB that wait are dropped, and their number is told when they are read again', async () => {
  await using pipe = await openPipe({ blocks: true })
  const output = createOutput(pipe.dest)
  const all = 9 * 1_024
  for (let n = 0; n < all; n += 1) output.write(line)
  expect(output.dropped).toEqual([])
  await waitFor(() => pipe.read() > 0 && output.dropped.length > 0, { timeoutMs: 20_000 })
  pipe.read()
  await output.close()
  expect(output.dropped).toEqual([all - pipe.read() / line.length])
  expect(pipe.read()).toBe(8 * 1_024 * 1_024)
})
