export type { Authorizer, Challenge } from './auth/contract.ts'
export {
  type AssertionRequest,
  type ClientCredentialsOptions,
  createClientCredentialsAuthorizer,
  createJwtBearerAuthorizer,
  type JwtBearerOptions,
} from './auth/grant-authorizer.ts'
export { type IdJagOptions, requestIdJag } from './auth/id-jag.ts'
export { createOAuthAuthorizer } from './auth/oauth-authorizer.ts'
export type {
  AuthorizationResponse,
  OAuthAuthorizer,
  OAuthAuthorizerOptions,
  OAuthClient,
  PendingSignIn,
  SignInStatus,
} from './auth/oauth-contract.ts'
export {
  createStaticAuthorizer,
  createTokenAuthorizer,
  type TokenAsk,
} from './auth/static-authorizer.ts'
export {
  createMemoryOAuthStore,
  type OAuthRecord,
  type OAuthStore,
} from './auth/storage/oauth-store.ts'
export { createMcpClient } from './client/client.ts'
export type {
  CallToolResult,
  CompletionQuestion,
  EraVerdict,
  Implementation,
  ListLimits,
  McpClient,
  McpClientOptions,
  OfferedQuestions,
  OpenClientOptions,
  OpenedClient,
  Progress,
  QuestionContext,
  RequestOptions,
  ServerCapabilities,
  ServerIdentity,
  ServerNotice,
  ServerQuestions,
  ToolDefinition,
  TraceContext,
} from './client/contract.ts'
export { openClient } from './client/open-client.ts'
export { createConnection } from './connection/connection.ts'
export type {
  Connection,
  ConnectionEvent,
  ConnectionOptions,
  ConnectionState,
} from './connection/contract.ts'
export { isMcpError, McpError, type McpErrorKind, type RpcFault } from './errors.ts'
export type {
  AddServerOptions,
  CallEnd,
  CallSpan,
  HostedServerConfig,
  InjectReport,
  ManagerEvent,
  McpManager,
  McpManagerOptions,
  McpServerConfig,
} from './manager/contract.ts'
export { createMcpManager } from './manager/manager.ts'
export { metaKeys } from './protocol/meta.ts'
export {
  findParamHeaders,
  type ParamHeader,
} from './protocol/param-headers.ts'
export { legacyVersions, modernVersions } from './protocol/versions.ts'
export type {
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from './rpc/messages.ts'
export { toCallResult } from './tools/call-result.ts'
export type {
  McpCallResult,
  McpTool,
  Tool,
  ToolContext,
  ToolHandler,
  ToolParameter,
  ToolRegistry,
  ToolSchema,
  ToolSelection,
  ToolSpec,
} from './tools/contract.ts'
export { type ConvertOptions, convertMcpTools } from './tools/convert.ts'
export { createToolFilter, isToolAllowed, matchToolFilter } from './tools/filter.ts'
export { toSdkName, toWireName } from './tools/names.ts'
export { createToolRegistry } from './tools/registry.ts'
export { createTool } from './tools/tool.ts'
export type { HttpTransportOptions } from './transports/http/http-options.ts'
export { createHttpTransport } from './transports/http/http-transport.ts'
export {
  createInProcessTransport,
  type HandlerContext,
  type InProcessHandler,
} from './transports/in-process.ts'
export { createSseTransport } from './transports/sse/sse-transport.ts'
export {
  createStdioTransport,
  type StdioTransportOptions,
} from './transports/stdio/stdio-transport.ts'
export type {
  CallOptions,
  Era,
  Protocol,
  Transport,
  TransportEvents,
  TransportKind,
} from './transports/transport.ts'
