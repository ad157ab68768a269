/** What the program below does, as it is written on a command line: it needs no file. */
const program = `
const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'greeter', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'hello', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello' }] }),
  ping: () => ({}),
}
const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id === undefined) return
  const answer = answers[message.method]
  const body = answer
    ? { result: answer(message.params) }
    : { error: { code: -32601, message: 'Method not found' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }))
})
`

/** A server with the tool `hello` that runs in any sandbox. */
export const greeterCommand = { command: process.execPath, args: ['-e', program] }
