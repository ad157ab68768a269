// A server over stdio: one JSON-RPC message a line. It says its process id, and dies when told.
import { createInterface } from 'node:readline'
import { answer } from './answer.ts'

const tools = { pid: () => `${process.pid}`, die: () => process.exit(1) }

for await (const line of createInterface(process.stdin)) {
  const response = answer(tools, JSON.parse(line))
  if (response) console.log(JSON.stringify(response))
}
