// A server that wants a person to sign in. The first call says so; after the sign-in all goes well.
import assert from 'node:assert/strict'
import { createMcpManager, createOAuthAuthorizer, isMcpError } from '@dataagent/mcp'
import { startGuarded } from './servers/guarded.ts'
import { visit } from './servers/person.ts'

await using guarded = await startGuarded()
const { url } = guarded

const redirectUrl = 'http://localhost:8080/callback'
const authorizer = createOAuthAuthorizer({ serverUrl: url, redirectUrl })
await using mcp = createMcpManager()
const addServer = () => mcp.addServer({ name: 'guarded', transport: 'http', url }, { authorizer })

const error = await addServer().catch((reason: unknown) => reason)
assert.ok(isMcpError(error, 'sign_in'))

// Here your person's browser opens the page, and comes back to `redirectUrl`, where you listen.
const { searchParams } = new URL(`${error.data?.authorizationUrl}`)
assert.equal(searchParams.get('resource'), url)
assert.equal(searchParams.get('code_challenge_method'), 'S256')
const response = await visit(`${error.data?.authorizationUrl}`)
await authorizer.finish(response)

await addServer()
console.log(await mcp.callTool('mcp.guarded.secret'))
assert.match(await mcp.callTool('mcp.guarded.secret'), /oak/)

// What came back can be used once, and only by who asked.
const again = await authorizer.finish(response).catch((reason: unknown) => reason)
assert.ok(isMcpError(again, 'sign_in'))
