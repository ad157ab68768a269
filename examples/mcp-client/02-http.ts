// A server over Streamable HTTP, and all that a client can ask of it.
import assert from 'node:assert/strict'
import { createHttpTransport, createMcpClient, isMcpError, type Progress } from '@dataagent/mcp'
import { startEverything } from './servers/everything.ts'

await using everything = await startEverything()

await using client = createMcpClient({ transport: createHttpTransport({ url: everything.url }) })
const { serverInfo, version } = await client.connect()
console.log(`${serverInfo.name} speaks ${version}`)

const { content } = await client.callTool('echo', { message: 'hello' })
assert.deepEqual(content, [{ type: 'text', text: 'Echo: hello' }])

const weather = await client.callTool('get-structured-content', { location: 'New York' })
assert.equal(typeof Object(weather.structuredContent).temperature, 'number')

const [resource] = await client.listResources()
assert.ok(resource)
const { contents } = await client.readResource(resource.uri)
assert.equal(contents[0]?.uri, resource.uri)

const { messages } = await client.getPrompt('simple-prompt')
assert.equal(messages[0]?.role, 'user')

// A long call tells how far it is.
const seen: Progress[] = []
const steps = { duration: 0.4, steps: 4 }
const onProgress = (progress: Progress) => seen.push(progress)
await client.callTool('trigger-long-running-operation', steps, { onProgress })
console.log(seen.map(({ progress, total }) => `${progress}/${total}`).join(' '))
assert.ok(seen.length > 0)

// And it can be cancelled: the promise rejects at once, and the server is told.
const forever = { duration: 60, steps: 1 }
const signal = AbortSignal.timeout(50)
const error = await client
  .callTool('trigger-long-running-operation', forever, { signal })
  .catch((reason: unknown) => reason)
assert.ok(isMcpError(error, 'cancelled'))
