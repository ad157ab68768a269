import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'
import type { OpenApiDocument } from './document.ts'
import { findFaults } from './test-document-shape.ts'

test('the whole API is described, in the structure of OpenAPI 3.1 [D21.1] [D21.6]', async () => {
  await using server = await startTestPlatform()
  const { body } = await server.ask<OpenApiDocument>('GET', '/openapi.json', { as: null })
  expect(findFaults(body)).toEqual([])
  expect(body.paths['/api/v1/chat']?.post?.requestBody?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/ChatRequest' } },
  })
  const names = ['ChatRequest', 'ChatResponse', 'SessionInfo', 'ErrorResponse', 'WebSocketMessage']
  expect(Object.keys(body.components.schemas)).toEqual(expect.arrayContaining(names))
})
