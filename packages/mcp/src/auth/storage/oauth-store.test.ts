import { describeOAuthStore } from './describe-oauth-store.ts'
import { createMemoryOAuthStore } from './oauth-store.ts'

describeOAuthStore('an OAuthStore in memory', async () => createMemoryOAuthStore())
