"""SVC and LinearSVC as scikit-learn spells them, on plain lists."""
