import { expect, test } from 'vitest'
import { namesFiles } from './names-files.ts'

test.each([
  [{ command: 'node', args: ['/home/ada/server.js'] }],
  [{ command: '/Users/ada/bin/server' }],
  [{ command: 'npx', args: ['-y', 'server-filesystem', '~/Documents'] }],
  [{ command: 'python', args: ['--root=/srv/data'] }],
  [{ command: 'node', args: ['C:\\Users\\ada\\server.js'] }],
])('%j names files of the machine', (config) => expect(namesFiles(config)).toBe(true))

test.each([
  [{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] }],
  [{ command: '/usr/bin/python3', args: ['-m', 'server'] }],
  [{ command: 'npx', args: ['mcp-remote', 'https://mcp.example/mcp', '--url=https://a.example'] }],
])('%j does not', (config) => expect(namesFiles(config)).toBe(false))
