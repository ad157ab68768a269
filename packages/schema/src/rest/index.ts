export { type AgentInfo, type AgentList, agentInfoSchema, agentListSchema } from './agents.ts'
export {
  type CancelResponse,
  type ChatRequest,
  type ChatResponse,
  cancelResponseSchema,
  chatRequestSchema,
  chatResponseSchema,
  messageMax,
} from './chat.ts'
export { type ErrorResponse, errorResponseSchema } from './error-response.ts'
export {
  type HealthResponse,
  healthResponseSchema,
  type ReadinessResponse,
  readinessResponseSchema,
} from './health.ts'
export { type PageQuery, pageQuerySchema } from './page.ts'
export {
  type MessagesPage,
  messagesPageSchema,
  type SessionInfo,
  type SessionsPage,
  sessionInfoSchema,
  sessionsPageSchema,
} from './sessions.ts'
export {
  type TenantCreate,
  type TenantList,
  type TenantUpdate,
  tenantCreateSchema,
  tenantListSchema,
  tenantUpdateSchema,
} from './tenants.ts'
export { type UserServerList, userServerListSchema } from './user-servers.ts'
