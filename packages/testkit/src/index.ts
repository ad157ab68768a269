export { askingReasons } from './asking-reasons.ts'
export {
  type AuthorizationServerStandIn,
  type BrowserAnswer,
  type StartAuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server/authorization-server.ts'
export type { StandInClient } from './authorization-server/client-check.ts'
export type {
  Intercept,
  StandInAnswer,
  StandInRequest,
} from './authorization-server/http-stand-in.ts'
export type { IssuedToken, SecretKind } from './authorization-server/issued.ts'
export {
  type ProtectedResourceStandIn,
  type RpcMessage,
  type StartProtectedResourceOptions,
  startProtectedResource,
} from './authorization-server/protected-resource.ts'
export { type Canary, createCanary } from './canary/canary.ts'
export { type CapturedOutput, captureOutput } from './canary/capture-output.ts'
export {
  type CanaryFinding,
  expectNoCanary,
  scanForCanaries,
} from './canary/scan-for-canaries.ts'
export type { Sink } from './canary/sinks.ts'
export { createTestCertificate } from './certificate.ts'
export { type ConsentFields, createConsent } from './consent.ts'
export {
  createDifyProfile,
  type DifyProfile,
  type DifyProfileOptions,
  type DifyTimeouts,
} from './dify-profile/dify-profile.ts'
export type { DifyFaultKind } from './dify-profile/fault.ts'
export type { DifyCallResult, DifyTool } from './dify-profile/models.ts'
export type { DifyClient, DifyTokens } from './dify-profile/oauth-tokens.ts'
export type { WireRequest as DifyRequest } from './dify-profile/wire.ts'
export { createFakeClock, type FakeClock } from './fake-clock.ts'
export type { Direction, Fault } from './fault-proxy/fault.ts'
export {
  type FaultProxy,
  type FaultProxyCounters,
  type StartFaultProxyOptions,
  startFaultProxy,
} from './fault-proxy/fault-proxy.ts'
export type { ProxyConnection } from './fault-proxy/proxy-connection.ts'
export { firstLine } from './first-line.ts'
export { type HostileCommand, hostileServerCommand } from './hostile-mcp/command.ts'
export { startHostileHttpApart } from './hostile-mcp/http-apart.ts'
export { type HostileHttp, startHostileHttp } from './hostile-mcp/http-server.ts'
export type { HostileTransport, Knobs as HostileKnobs } from './hostile-mcp/mode.ts'
export { type HostileMode, modesOn } from './hostile-mcp/modes/table.ts'
export type { NoteKind } from './hostile-mcp/notes.ts'
export { inspectorProgram } from './inspector-program.ts'
export { chosenCount, longCount } from './long-count.ts'
export {
  type ModelStandIn,
  type StandInKey,
  type StartModelStandInOptions,
  startModelStandIn,
} from './model-stand-in/model-stand-in.ts'
export type { ErrorReply, MessageReply, Reply } from './model-stand-in/reply.ts'
export {
  countPromptTokens,
  lastUserText,
  type ModelRequest,
  type RecordedRequest,
  toolRounds,
} from './model-stand-in/request.ts'
export type { Script, Step } from './model-stand-in/script.ts'
export { mutateBytes } from './mutations/mutate-bytes.ts'
export { mutateJson } from './mutations/mutate-json.ts'
export { type Played, type PlayOptions, playMutated } from './mutations/play-mutated.ts'
export { createRandom, type Random } from './mutations/random.ts'
export {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from './otlp-receiver.ts'
export { ensureBinary } from './services/binary.ts'
export { createDatabase, type TestDatabase } from './services/create-database.ts'
export { createRedisScope, type RedisScope } from './services/create-redis-scope.ts'
export { canStartService, findService } from './services/find-service.ts'
export { type StartMariadbOptions, startMariadb } from './services/mariadb.ts'
export { type StartPostgresOptions, startPostgres } from './services/postgres.ts'
export type { PrivateServer } from './services/private-server.ts'
export { type StartRedisOptions, startRedis } from './services/redis.ts'
export type { ServiceKind } from './services/service-kind.ts'
export { callingTestFile, reportSkip } from './services/skip.ts'
export { mountSmallDisk, type SmallDisk, type SmallDiskOptions } from './small-disk.ts'
export { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts'
export { type WaitForOptions, waitFor } from './wait-for.ts'
