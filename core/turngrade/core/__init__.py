"""The framework-neutral matching core of turngrade."""
