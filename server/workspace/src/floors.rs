//! The floors of a state: what is known about files, the sets they are given in, the results of their code, which schema
//! governs them, and their findings. Each floor owns its part of the state and contains the part below it, so that a
//! function with a higher floor can call those that need only a lower one.

/// Makes a floor's part of the state usable as the part below it.
macro_rules! built_on {
    ($this:ty, $below:ty) => {
        impl ::std::ops::Deref for $this {
            type Target = $below;

            fn deref(&self) -> &$below {
                &self.below
            }
        }

        impl ::std::ops::DerefMut for $this {
            fn deref_mut(&mut self) -> &mut $below {
                &mut self.below
            }
        }
    };
}

pub(crate) use built_on;
