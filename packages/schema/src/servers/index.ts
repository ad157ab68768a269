export { type McpConfigEntry, parseMcpConfigFile } from './mcp-config-file.ts'
export {
  type ServerConfig,
  type ServerConfigInput,
  type ServerUpdate,
  type ServerUpdateInput,
  serverConfigSchema,
  serverUpdateSchema,
  type Transport,
} from './server-config.ts'
export { serverName } from './server-fields.ts'
export {
  type ServerFault,
  type ServerInfo,
  type ServerStatus,
  serverInfoSchema,
} from './server-info.ts'
