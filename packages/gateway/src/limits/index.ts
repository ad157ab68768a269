export type { GatewayLimits, LimitVerdict } from './contract.ts'
export { createGatewayLimits, withinLimits } from './gateway-limits.ts'
