import { describe, expect, test } from 'vitest'
import { featureOff, toFeatures } from './features.ts'
import { ana, createTestWorld, everything } from './test-world.ts'

const tool = 'read'
const shared = { server_id: 'mall', user_id: null, config: { name: 'mall' } }
const anas = { server_id: 'mall@1f2e', user_id: 'ana', config: { name: 'mall' } }

describe("a user's own server that is called like a shared one", () => {
  test.each([
    [['mcp:mall'], undefined, 'mcp'],
    [['mcp:mall/read'], undefined, 'mcp'],
    [['mcp:mall@1f2e'], 'mcp', undefined],
    [['mcp:mall@1f2e/read'], 'mcp', undefined],
    [['mcp'], undefined, undefined],
    [['mcp', '-mcp:mall'], 'mcp:mall', 'mcp:mall'],
    [['mcp', '-mcp:mall/read'], 'mcp:mall/read', 'mcp:mall/read'],
    [['mcp', '-mcp:mall@1f2e'], undefined, 'mcp:mall@1f2e'],
    [[], 'mcp', 'mcp'],
  ])('%j: the shared one lacks %s, the own one lacks %s', (list, ofShared, ofOwn) => {
    const features = toFeatures(list)
    expect(featureOff(features, { server: shared, tool })).toBe(ofShared)
    expect(featureOff(features, { server: anas, tool })).toBe(ofOwn)
  })

  test('is not switched on by the name that it takes', () => {
    const { servers, catalogue, tenants, policy } = createTestWorld({ defaultAllow: everything })
    servers.add({ server_id: 'mall' })
    const own = servers.add({ ...anas, name: 'mall' })
    tenants.set('t1', ['mcp:mall'])
    const entry = catalogue.add(own, tool)
    const by = { kind: 'feature_off', feature: 'mcp' }
    expect(policy.decide({ principal: ana }, entry)).toMatchObject({ status: 'deny', by })
  })
})
