import { AppError } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool/index.ts'
import { everything, startTestHub, tenant_id, toContext } from './test-hub.ts'
import { failure, startReflectingServer } from './test-reflecting-server.ts'

const input = z.object({})
const page = { description: 'Reads a page.', input, untrusted: true }
const broken = () => {
  throw new AppError('upstream_failed', failure)
}
const tools = [
  defineTool({ name: 'throwing', ...page, run: broken }),
  defineTool({ name: 'hanging', ...page, timeoutMs: 20, run: () => new Promise<string>(() => {}) }),
  defineTool({ name: 'broken', ...page, untrusted: false, run: broken }),
  defineTool({ name: 'post_data', description: 'Posts it.', input, run: () => 'posted' }),
]

const rig = await startTestHub({ tools, settings: { defaultAllow: everything } })
const server = await startReflectingServer()
const { hub } = rig
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const ada = toContext().principal
const newRun = () => ({ run_id: 'r', untrusted: new Set<string>() })
const ids: Record<string, string> = { ours: 'dataagent' }

beforeAll(async () => {
  ids.shared = (await rig.connect({ name: 'shared', url: server.url })).server_id
  const vouched = { name: 'vouched', url: server.url, trustedOutput: true }
  ids.vouched = (await rig.connect(vouched)).server_id
  const config = { name: 'own', url: server.url, approval: 'allow', trustedOutput: true } as const
  ids.own = (await hub.servers.register(ada, { scope: 'user', config })).server_id
  await hub.upstreams.refresh({ tenant_id, server_id: ids.own, user_id: 'ada' })
  await rig.offered(ids.own)
})

describe('what a shared server gives', () => {
  const keep = async (place: string) => {
    const run = newRun()
    const tool = { server_id: ids[place]!, name: 'keep' }
    expect(await hub.callTool(toContext({}, { run }), { tool })).toMatchObject({ status: 'ok' })
    return run
  }

  test('by a tool that does not say of which world it is: nobody vouches for it', async () => {
    const run = await keep('shared')
    expect([...run.untrusted]).toEqual([ids.shared])
    const posted = await hub.callTool(toContext({}, { run }), { tool: 'post_data' })
    const message = expect.stringContaining('"trustedOutput"')
    expect(posted).toMatchObject({
      status: 'denied',
      error: { code: 'approval_required', message },
    })
  })

  test('leaves the run as it was where an administrator vouches for the server', async () => {
    expect([...(await keep('vouched')).untrusted]).toEqual([])
  })
})

describe('a call that fails', () => {
  const asks = { status: 'denied', error: { code: 'approval_required' } }

  test.each([
    ["a user's server", 'own', 'fail'],
    ['a server of an open world', 'shared', 'fail'],
    ['a tool of our own', 'ours', 'throwing'],
  ])('in words of %s: the run has read what nobody vouches for', async (_of, place, name) => {
    const run = newRun()
    const tool = { server_id: ids[place]!, name }
    const failed = await hub.callTool(toContext({}, { run }), { tool })
    const error = { message: expect.stringContaining(failure) }
    expect(failed).toMatchObject({ status: 'failed', error })
    expect([...run.untrusted]).toEqual([ids[place]])
    expect(await hub.callTool(toContext({}, { run }), { tool: 'post_data' })).toMatchObject(asks)
  })

  test.each([
    ['of a place that is vouched for', 'broken', 'failed'],
    ['and tells nothing of that place, being late', 'hanging', 'timeout'],
  ])('%s leaves the run as it was', async (_how, tool, status) => {
    const run = newRun()
    expect(await hub.callTool(toContext({}, { run }), { tool })).toMatchObject({ status })
    expect([...run.untrusted]).toEqual([])
    const posted = await hub.callTool(toContext({}, { run }), { tool: 'post_data' })
    expect(posted).toMatchObject({ status: 'ok' })
  })
})
