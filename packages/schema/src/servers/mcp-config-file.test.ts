import { expect, test } from 'vitest'
import { parseMcpConfigFile } from './mcp-config-file.ts'

test('a list of servers is read', () => {
  const [entry] = parseMcpConfigFile({
    servers: [
      { name: 'files', command: 'npx', args: ['-y', 'x'], env: { A: 'b' }, disabled: true },
    ],
  })
  expect(entry).toMatchObject({
    status: 'ok',
    name: 'files',
    config: { name: 'files', transport: 'stdio', args: ['-y', 'x'], disabled: true },
  })
})

test('the form of Claude Desktop and Cursor is read, with the fields of theirs left out', () => {
  const entries = parseMcpConfigFile({
    mcpServers: {
      local: { command: 'uvx', args: ['x'], autoApprove: ['*'], type: 'stdio' },
      remote: { type: 'streamable-http', url: 'https://mcp.example/mcp', headers: { A: 'b' } },
      old: { type: 'sse', url: 'https://mcp.example/sse' },
    },
  })
  const transports = entries.map((entry) => entry.status === 'ok' && entry.config.transport)
  expect(transports).toEqual(['stdio', 'http', 'sse'])
})

test('a server that cannot be used leaves the others usable and says why', () => {
  const entries = parseMcpConfigFile({
    servers: [
      { name: 'a', command: 'x' },
      { command: 'y' },
      { name: 'c', transport: 'constructor' },
      7,
    ],
  })
  expect(entries.map(({ status, name }) => `${name} ${status}`)).toEqual([
    'a ok',
    '#2 invalid',
    'c invalid',
    '#4 invalid',
  ])
  expect(entries[2]).toMatchObject({ error: { code: 'invalid_request' } })
})

test.each([null, [], {}, { servers: 'x' }, { mcpServers: [] }])('%j is refused', (value) => {
  expect(() => parseMcpConfigFile(value)).toThrow('"servers" or an object "mcpServers"')
})
