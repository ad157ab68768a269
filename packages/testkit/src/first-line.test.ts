import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { firstLine } from './first-line.ts'

test('gives the first line a child prints, while it still runs', async () => {
  const child = spawn('sh', ['-c', 'echo ready; echo more; read wait'])
  expect(await firstLine(child)).toBe('ready')
  child.kill()
})

test('gives the line of a child that has ended since', async () => {
  for (let round = 0; round < 20; round += 1) {
    expect(await firstLine(spawn('sh', ['-c', 'echo done']))).toBe('done')
  }
})

test('fails when the child ends without a line', async () => {
  await expect(firstLine(spawn('sh', ['-c', 'exit 3']))).rejects.toThrow('It ended with 3')
})
