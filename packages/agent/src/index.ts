/** One turn of work: loop, tools, permissions, sessions, models. */
export { addUsage, costOf, type Cost } from "./models/cost.ts";
export { cancelledFailure, FAILURE_KINDS, isModelFailure, ModelFailure } from "./models/failure.ts";
export type { FailureFacts, FailureKind, FailureShape } from "./models/failure.ts";
export { OFFLINE_HINT, OFFLINE_REF, offlineModel } from "./models/offline.ts";
export { createModels, defaultModelRef, type ModelsOptions } from "./models/registry.ts";
export { isRetryable, retryDelay, RETRY_POLICY, streamWithRetry } from "./models/retry.ts";
export type { RetryOptions, RetryPolicy } from "./models/retry.ts";
export { decodeProviders, PROVIDER_KINDS } from "./models/settings.ts";
export type { ProviderKind, ProvidersDecoded, ProviderSettings } from "./models/settings.ts";
