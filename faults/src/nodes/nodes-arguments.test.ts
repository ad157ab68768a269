import { expect, test } from 'vitest'
import { readArguments } from './nodes-arguments.ts'

test.each(['abc', '', '70000', '1.5'])('--port "%s" is refused with what to give', (port) => {
  expect(readArguments([`--port=${port}`])).toContain('Give a port of 1 to 65535')
})

test('counts and a port are read, and have defaults', () => {
  const asked = { nodes: 2, workers: 1, database: 'postgres', port: 8_000 }
  expect(readArguments([])).toEqual(asked)
  expect(readArguments(['--nodes=3', '--port=0'])).toEqual({ ...asked, nodes: 3, port: 0 })
  expect(readArguments(['--nodes=x'])).toContain('Give 1 to 16 nodes')
})
