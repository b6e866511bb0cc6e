// Filled by the screens' tests.
