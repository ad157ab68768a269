export { createGateway, type Gateway, isGatewayPath } from './gateway.ts'
export type { GatewayLogEntry, GatewayOptions, GatewaySettings } from './gateway-options.ts'
export type { GroupChange, Groups, NewGroup, ToolGroup } from './groups/index.ts'
export type { People } from './oauth/index.ts'
export type {
  ClientRow,
  ClientRows,
  GatewayStore,
  Giver,
  GrantRow,
  GrantRows,
  GrantsOfUser,
  GroupRow,
  GroupRows,
  TokenCraft,
} from './ports.ts'
