/** An MCP server with one tool that needs no file, so that it runs in any sandbox. */
const programOf = (tool: object) => `
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'greeter', version: '1' },
  }),
  'tools/list': () => ({ tools: [${JSON.stringify(tool)}] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello' }] }),
  ping: () => ({}),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = results[method]?.(params)
  const error = { code: -32601, message: 'no such method' }
  const answer = { jsonrpc: '2.0', id, ...(result ? { result } : { error }) }
  if (id !== undefined) console.log(JSON.stringify(answer))
})`

const serverOf = (tool: object) => ({ command: process.execPath, args: ['-e', programOf(tool)] })

const inputSchema = { type: 'object' }
export const greeter = serverOf({ name: 'hello', inputSchema })
/** Its tool `erase` says that it destroys something. */
export const eraser = serverOf({
  ...{ name: 'erase', inputSchema, annotations: { destructiveHint: true } },
})
