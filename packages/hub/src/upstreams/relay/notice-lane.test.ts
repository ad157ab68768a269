import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Noticed } from './messages.ts'
import { createNoticeLane } from './notice-lane.ts'

function aNotice(server_id: string, uri: string): Noticed {
  const key = { tenant_id: 't', server_id, user_id: null }
  return { kind: 'notice', from: 'me', key, notice: { kind: 'resource_updated', uri } }
}

function open() {
  const sent: string[] = []
  const release: (() => void)[] = []
  const lane = createNoticeLane({
    send({ key, notice }) {
      sent.push(`${key.server_id} ${Object(notice).uri}`)
      return new Promise((resolve) => release.push(resolve))
    },
  })
  const releaseAll = () => {
    for (const one of release.splice(0)) one()
  }
  return { lane, sent, release, releaseAll }
}

test('however much servers tell, few messages are on their way at once [E5.2]', async () => {
  const { lane, sent, release, releaseAll } = open()
  for (let at = 0; at < 10_000; at += 1) lane.post(aNotice('loud', `u${at}`))
  expect(sent.length).toBeLessThanOrEqual(100)
  lane.post(aNotice('quiet', 'one'))
  releaseAll()
  await waitFor(() => sent.includes('quiet one'))
  expect(release.length).toBeLessThanOrEqual(100)
  expect(sent.length).toBeLessThanOrEqual(200)
})

test('what was told of a thousand resources at once all arrives, each once', async () => {
  const { lane, sent, releaseAll } = open()
  for (let at = 0; at < 2_000; at += 1) lane.post(aNotice('s', `file:///resource/${at % 1_000}`))
  await waitFor(() => {
    releaseAll()
    return sent.length >= 1_000
  })
  releaseAll()
  await lane.close()
  expect(new Set(sent).size).toBe(1_000)
  expect(sent.length).toBeLessThan(1_100)
})
