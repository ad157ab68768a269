import type { Citations } from '@dataagent/schema'
import { createContext } from 'react'
import type { SessionQuery } from '../../chat/log/chat-log.ts'

/** The queries of the session by their `ref`: what answers cite. */
export const QueriesContext = createContext<ReadonlyMap<string, SessionQuery>>(new Map())

/** What the server has found of the citations of the text around; undefined until it has. */
export const CitationsContext = createContext<Citations | undefined>(undefined)
