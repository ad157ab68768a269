import { messageMax as schemaMax } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { messageMax } from './typed-lines.ts'

test('as much can be typed as the platform takes', () => {
  expect(messageMax).toBe(schemaMax)
})
