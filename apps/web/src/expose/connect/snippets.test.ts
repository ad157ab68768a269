import { expect, test } from 'vitest'
import { addressesOf, maskedKey, toSnippet } from './snippets.ts'

const groupAt = (own: string) => ({
  group_id: 'shop',
  urls: {
    streamable_http: `${own}/mcp/g/shop`,
    sse: `${own}/mcp/v1/sse`,
    jsonrpc: `${own}/api/v1/mcp/jsonrpc`,
  },
})
const group = groupAt('https://tools.example')

test('the addresses are those of this group, and that of all groups', () => {
  expect(addressesOf(group)).toEqual({
    group: 'https://tools.example/mcp/g/shop',
    any: 'https://tools.example/mcp',
    sse: 'https://tools.example/mcp/v1/sse',
    jsonrpc: 'https://tools.example/api/v1/mcp/jsonrpc',
  })
})

test('without a key nothing of it is in a configuration: the program opens the consent page', () => {
  for (const program of ['claude', 'cursor', 'vscode'] as const) {
    const text = toSnippet(program, { group, way: 'sign_in' })
    expect(text).toContain('https://tools.example/mcp/g/shop')
    expect(text).not.toMatch(/mk_|Authorization|headers/)
    JSON.parse(text)
  }
})

test('with the key it is where each program looks for it', () => {
  const cursor = JSON.parse(toSnippet('cursor', { group, way: 'key' }))
  expect(cursor.mcpServers.shop.headers).toEqual({ Authorization: `Bearer ${maskedKey}` })
  const claude = JSON.parse(toSnippet('claude', { group, way: 'key' }))
  expect(claude.mcpServers.shop.env).toEqual({ AUTH: `Bearer ${maskedKey}` })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the program fills it in
  expect(claude.mcpServers.shop.args).toContain('Authorization:${AUTH}')
  const vscode = JSON.parse(toSnippet('vscode', { group, way: 'key' }))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the program fills it in
  expect(vscode.servers.shop.headers.Authorization).toBe('Bearer ${input:key}')
  for (const command of ['inspector', 'curl'] as const) {
    expect(toSnippet(command, { group, way: 'key' })).toContain(`Bearer ${maskedKey}`)
  }
})

test('plain http to another machine is allowed by name', () => {
  const argsOf = (own: string): string[] =>
    JSON.parse(toSnippet('claude', { group: groupAt(own), way: 'sign_in' })).mcpServers.shop.args
  expect(argsOf('http://tools.lan:8000')).toContain('--allow-http')
  expect(argsOf('http://localhost:8000')).not.toContain('--allow-http')
  expect(argsOf('https://tools.example')).not.toContain('--allow-http')
})
