import { messageMax as schemaMax } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { messageMax } from './message-max.ts'

test('as much can be sent as the platform takes', () => {
  expect(messageMax).toBe(schemaMax)
})
