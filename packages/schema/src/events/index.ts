export {
  type AnyEvent,
  anyEventSchema,
  type EventType,
  type ExecutionEvent,
  eventTypes,
  isKnownEvent,
  type UnknownEvent,
} from './execution-event.ts'
export type {
  DoneEvent,
  ErrorEvent,
  FileOperationEvent,
  HITLRequestEvent,
  TextEvent,
  Todo,
  TodoUpdateEvent,
  ToolCallEvent,
  ToolResultEvent,
} from './execution-events.ts'
export {
  type EventPlace,
  type Logged,
  parseLoggedEvent,
  parseSentEvent,
  type SentEvent,
  type TextDelta,
} from './logged-event.ts'
export { parseEvent, parseEventText, toDict } from './parse-event.ts'
export {
  type ResumePoint,
  restAfter,
  resumePointSchema,
  resumeStart,
  toResumePoint,
} from './resume-point.ts'
export type {
  ApprovalDecidedEvent,
  CitationsEvent,
  ReasoningEvent,
  ResultBlockEvent,
  SessionStateEvent,
  SummaryEvent,
  ToolStartedEvent,
  ToolsMatchedEvent,
  UsageEvent,
  UserMessageEvent,
} from './session-events.ts'
