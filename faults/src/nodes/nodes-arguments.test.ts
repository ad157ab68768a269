import { expect, test } from 'vitest'
import { readArguments, readCommand, toEntrance } from './nodes-arguments.ts'

test.each(['abc', '', '70000', '1.5'])('--port "%s" is refused with what to give', (port) => {
  expect(readArguments([`--port=${port}`])).toContain('Give a port of 1 to 65535')
})

test('counts and a port are read, and have defaults', () => {
  const asked = { nodes: 2, workers: 1, database: 'postgres', port: 8_000 }
  expect(readArguments([])).toEqual(asked)
  expect(readArguments(['--nodes=3', '--port=0'])).toEqual({ ...asked, nodes: 3, port: 0 })
  expect(readArguments(['--nodes=x'])).toContain('Give 1 to 16 nodes')
  expect(readArguments(['--workers=100'])).toContain('Give 1 to 64 workers')
})

test('a line says what becomes of a node', () => {
  expect(readCommand('kill 2\n', 2)).toEqual({ verb: 'kill', number: 2 })
  expect(readCommand(' restart  1 ', 2)).toEqual({ verb: 'restart', number: 1 })
  expect(readCommand('nodes', 2)).toEqual({ verb: 'nodes' })
})

test.each(['', 'stop 1', 'help', 'kill 1 2', 'nodes 3'])('"%s" is told what there is', (line) => {
  expect(readCommand(line, 2)).toBe('Say "kill N", "start N", "restart N" or "nodes".')
})

test.each(['kill', 'kill 3', 'kill 0', 'kill x'])('"%s" is told which nodes there are', (line) => {
  expect(readCommand(line, 2)).toBe('Say which node: "kill 1" to "kill 2".')
})

test('only a key that was made here is in the address', () => {
  expect(toEntrance(undefined, 'made')).toEqual({ keys: 'made', path: '/#key=made' })
  expect(toEntrance('', 'made')).toEqual({ keys: 'made', path: '/#key=made' })
  const given = 'tenant=a;user=b;role=admin;key=secret,other'
  expect(toEntrance(given, 'made')).toEqual({ keys: given, path: '/' })
})
