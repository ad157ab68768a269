import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

test('a body whose client has gone already is not waited for [E5.2]', async () => {
  const gone = new IncomingMessage(new Socket())
  gone.destroy()
  await once(gone, 'close')
  const reading = readBody(gone, { maxBytes: 10, withinMs: 600_000 })
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
})
