import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { consent } from './consent.mjs'
import { judgeBy } from './run-scenario.mjs'

/**
 * Runs the suite for authorization servers: as its program, known to the server, and as the person
 * whose browser it wants.
 * @param {import('./suites.mjs').Run} run
 * @param {import('./gateway.mjs').RunningGateway} gateway
 */
export async function runAuthorization(run, { url, key }) {
  const port = await findPort()
  const id = await register(url, `http://127.0.0.1:${port}/callback`)
  const settings = [
    '--url',
    url,
    '--client-id',
    id,
    '--port',
    `${port}`,
    '--resource',
    `${url}/mcp`,
  ]
  return judgeBy(run, async (directory) => {
    const args = [run.suite.program, 'authorization', ...settings, '--output-dir', directory]
    const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    /** @type {string[]} */
    const lines = []
    try {
      for await (const line of createInterface(child.stdout)) {
        lines.push(line)
        if (/^https?:\S+code_challenge=/.test(line)) await consent(line, key)
      }
      const [code] = await exited
      return { ok: code === 0, output: lines.join('\n') }
    } finally {
      child.kill()
    }
  })
}

async function findPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  await once(server, 'close')
  return port
}

/** @returns {Promise<string>} */
async function register(/** @type {string} */ url, /** @type {string} */ redirect_uri) {
  const response = await fetch(`${url}/mcp/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  })
  if (!response.ok) throw new Error(`The program was not registered: ${response.status}`)
  return Object(await response.json()).client_id
}
