export { CallTimeline, CompactTimeline, type DrawnCall } from './call-timeline';
export { describeAttempt, describeCall, failureWords, inBytes, skipWords, wordsOfFailure } from './describe';
export { exampleCalls } from './examples';
export { endingOf, layoutCall, type FlushSample, type TimelineLayout } from './layout';
export { TimelineLegend } from './legend';
