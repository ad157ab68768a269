export type { GatewayLimits } from './contract.ts'
export { createGatewayLimits } from './gateway-limits.ts'
