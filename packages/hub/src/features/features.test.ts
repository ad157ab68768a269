import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool/index.ts'
import { everything, startTestHub, toContext } from '../scenarios/test-hub.ts'
import { createLibrary } from '../upstreams/test-library.ts'

test('lists and log levels wait for no call of a tool, and take the place of none', async () => {
  const begun = Promise.withResolvers<void>()
  const done = Promise.withResolvers<string>()
  const hang = defineTool({
    ...{ name: 'hang', description: 'hang', input: z.object({}) },
    run() {
      begun.resolve()
      return done.promise
    },
  })
  const { createTransport } = createLibrary()
  const settings = { defaultAllow: everything, runningCalls: 1, waitingCalls: 1 }
  await using rig = await startTestHub({ tools: [hang], createTransport, settings })
  const { server_id } = await rig.connect({ name: 'library', command: 'in-process' })
  const running = rig.hub.callTool(toContext(), { tool: 'hang' })
  await begun.promise
  const ask = (method: string, params = {}) =>
    rig.hub.features.ask(toContext(), { server_id, method, params })
  expect(await ask('resources/list')).toMatchObject({ status: 'ok' })
  expect(await ask('logging/setLevel', { level: 'info' })).toMatchObject({ status: 'ok' })
  done.resolve('')
  expect(await running).toMatchObject({ status: 'ok' })
})
